(ns knossos-double.model
  "A double of Knossos for the tests of the bridge: it has the names that the bridge uses, and no code of Knossos.")

(definterface Model (step [op]))

(deftype Inconsistent [message]
  Model
  (step [this _] this))

(defn inconsistent [message] (Inconsistent. message))

(defn inconsistent? [model] (instance? Inconsistent model))
