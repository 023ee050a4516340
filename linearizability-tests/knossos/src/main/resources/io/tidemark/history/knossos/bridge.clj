(ns io.tidemark.history.knossos.bridge
  "What Knossos is given, and what it answers: a model whose every step is taken in Java, a history, and a summary of the
  result. Knossos is named by the prefix of its namespaces, so that a double can stand in for it.")

(defn- model-form
  "A model of Knossos: the number of a state. Equal states have equal numbers."
  [interface inconsistent]
  (list 'clojure.core/deftype 'State '[^io.tidemark.history.knossos.Steps steps ^long number]
        interface
        (list 'step '[this op]
              (list 'let '[after (.step steps number (long (:value op)))]
                    (list 'if '(neg? after)
                          (list inconsistent "it is not legal there")
                          '(State. steps after))))
        'Object
        '(equals [this other] (and (instance? State other) (== number (.-number ^State other))))
        '(hashCode [this] (Long/hashCode number))
        '(toString [this] (str "state " number))))

(defn- needed
  "What a namespace of Knossos has."
  [prefix space name]
  (let [space (symbol (str prefix "." space))]
    (require space)
    (or (ns-resolve space (symbol name))
        (throw (IllegalStateException. (str "no " name " in " space ": another version of Knossos?"))))))

(defn- initial-state
  [prefix steps]
  (let [inconsistent (symbol (needed prefix "model" "inconsistent"))
        interface (symbol (str (munge prefix) ".model.Model"))]
    (binding [*ns* (the-ns 'io.tidemark.history.knossos.bridge)]
      (let [state (eval (model-form interface inconsistent))
            constructor (first (.getConstructors ^Class state))]
        (.newInstance ^java.lang.reflect.Constructor constructor
                      (object-array [steps (.initial ^io.tidemark.history.knossos.Steps steps)]))))))

(def ^:private types [:invoke :ok :info])

(defn- operation
  "An event is its index, its process, what it is of [[types]], and the number of the operation."
  [[index process type number]]
  {:index index, :process process, :type (nth types type), :f :apply, :value number})

(defn- number-of
  "The number of a model's state, nil of what is none."
  [model]
  (when (= "State" (some-> model class .getSimpleName))
    (clojure.lang.Reflector/getInstanceField model "number")))

(defn- summary
  "What Java is told: the verdict, its cause, and the events and states that Knossos gives as its reasons."
  [result]
  (when-not (and (map? result) (contains? #{true false :unknown} (:valid? result)))
    (throw (IllegalStateException. (str "the answer is no verdict: " (pr-str result)))))
  (let [paths (take 100 (:final-paths result))]
    {"valid" (str (:valid? result))
     "cause" (some-> (:cause result) name)
     "op" (get-in result [:op :index])
     "previous" (get-in result [:previous-ok :index])
     "others" (vec (distinct (keep #(get-in % [:op :index]) (apply concat paths))))
     ; Where each path comes to its end: the states in which the operation is not legal.
     "states" (vec (distinct (keep (fn [path] (some number-of (reverse (map :model path)))) paths)))}))

(defn analysis
  "Asks Knossos for an order of the events; the algorithm is competition, linear or wgl."
  [prefix algorithm steps events]
  (let [analyse (needed prefix algorithm "analysis")]
    (summary (analyse (initial-state prefix steps) (mapv operation events)))))
