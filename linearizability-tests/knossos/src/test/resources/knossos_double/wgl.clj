(ns knossos-double.wgl
  (:require [knossos-double.search :as search]))

(defn analysis
  ([model history] (search/behave model history))
  ([model history _] (search/behave model history)))
