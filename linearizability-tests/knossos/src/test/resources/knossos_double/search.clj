(ns knossos-double.search
  "Looks for an order in the plainest way, or behaves as badly as the property knossos.double says."
  (:require [knossos-double.model :as model])
  (:import [knossos_double.model Model]))

(defn- step [^Model model op] (.step model op))

(defn- closure
  "All configurations that are reached by letting open operations happen."
  [configs]
  (loop [all (set configs), new all]
    (let [next (set (for [{:keys [model open done]} new
                          [process op] open
                          :let [after (step model op)]
                          :when (not (model/inconsistent? after))]
                      {:model after, :open (dissoc open process), :done (conj done process)}))
          unknown (remove all next)]
      (if (empty? unknown) all (recur (into all unknown) (set unknown))))))

(defn- search [model history]
  (loop [configs #{{:model model, :open {}, :done #{}}}
         [op & more] history
         previous nil]
    (case (:type op)
      nil {:valid? true, :configs configs}
      :invoke (recur (set (map #(assoc-in % [:open (:process op)] op) configs)) more previous)
      :info (recur configs more previous)
      :ok (let [reached (closure configs)
                left (filter #(contains? (:done %) (:process op)) reached)]
            (if (empty? left)
              {:valid? false
               :op op
               :previous-ok previous
               :final-paths (set (for [config reached]
                                   [{:op previous, :model (:model config)}
                                    {:op op, :model (model/inconsistent "not legal")}]))}
              (recur (set (map #(update % :done disj (:process op)) left)) more op))))))

(defn- for-ever [] (loop [] (Thread/onSpinWait) (recur)))

(defn behave [model history]
  (case (System/getProperty "knossos.double" "search")
    "search" (search model history)
    "prints" (do (println "{:part 0 :verdict \"false\"}") (search model history))
    "leaves a search" (do (.start (Thread. ^Runnable for-ever)) (search model history))
    "never ends" (for-ever)
    "never ends, after the first part" (if (System/getProperty "knossos.double.asked")
                                         (for-ever)
                                         (do (System/setProperty "knossos.double.asked" "yes")
                                             (search model history)))
    "time-out" {:valid? :unknown, :cause :timeout}
    "low memory" {:valid? :unknown, :cause :out-of-memory}
    "takes all memory" (loop [held []] (recur (conj held (long-array 1000000))))
    "throws" (throw (ex-info "no such luck" {}))
    "breaks the model" (step model {:f :apply, :value 1000000})
    "breaks the model in a thread" @(let [answer (promise)]
                                      (.start (Thread. #(deliver answer (step model {:f :apply, :value 1000000}))))
                                      answer)
    "says nothing" nil
    "says something else" {:valid? :maybe}
    "tells no operation" {:valid? false}
    "exits" (System/exit 7)))
