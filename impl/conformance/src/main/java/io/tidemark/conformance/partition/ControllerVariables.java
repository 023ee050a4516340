package io.tidemark.conformance.partition;

import io.tidemark.conformance.states.State;
import io.tidemark.conformance.states.Val;
import io.tidemark.core.controller.ControllerView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The variables of the controller, as the specification has them and as the code shows them. */
final class ControllerVariables {
    private ControllerVariables() {}

    static Map<String, Object> specified(State at) {
        Map<String, Object> all = new LinkedHashMap<>();
        Val metaLog = at.get("metaLog");
        Val image = metaLog.at(metaLog.size());
        all.put("metaLog", (long) metaLog.size());
        all.put("metaHw", (long) at.get("metaHw").integer());
        all.put("part", Brokers.registration(at, image.at("part")).toString());
        all.put("minIsr", image.at("minIsr").integer());
        Map<String, String> reg = new TreeMap<>();
        for (String broker : Brokers.all(at)) {
            Val r = image.at("reg").at(broker);
            reg.put(
                    broker,
                    r.at("epoch") + " of life " + r.at("incarnation")
                            + (r.at("fenced").bool() ? " fenced" : "")
                            + (r.at("shuttingDown").bool() ? " shutting down" : ""));
        }
        all.put("reg", reg);
        return all;
    }

    static Map<String, Object> shown(ControllerView view) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("metaLog", view.metaLogEnd() - ControllerNames.BASE - 1);
        all.put("metaHw", view.metaHw() - ControllerNames.BASE - 1);
        all.put("part", String.valueOf(view.part(ControllerNames.PARTITION)));
        all.put("minIsr", view.minIsr(ControllerNames.TOPIC));
        Map<String, String> reg = new TreeMap<>();
        view.reg()
                .forEach((id, r) -> reg.put(
                        "b" + id,
                        (r.epoch() - ControllerNames.BASE) + " of life "
                                + r.incarnation().getLeastSignificantBits()
                                + (r.fenced() ? " fenced" : "")
                                + (r.shuttingDown() ? " shutting down" : "")));
        all.put("reg", reg);
        return all;
    }
}
