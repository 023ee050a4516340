package io.tidemark.wire;

import io.tidemark.core.ErrorCode;
import io.tidemark.core.controller.ControllerRequest.AlterConfigs;
import io.tidemark.core.controller.ControllerRequest.ConfigChange;
import io.tidemark.core.controller.ControllerRequest.ConfigOp;
import io.tidemark.core.controller.ControllerRequest.ElectLeaders;
import io.tidemark.core.controller.ControllerRequest.TopicAndPartition;
import io.tidemark.core.controller.ControllerRequest.UpdateFeatures;
import io.tidemark.core.controller.ControllerRequest.UpdateFeatures.FeatureUpdate;
import io.tidemark.core.controller.ControllerResponse;
import io.tidemark.core.controller.ControllerResponse.AlteredConfigs;
import io.tidemark.core.controller.ControllerResponse.AlteredConfigs.ConfigResult;
import io.tidemark.core.controller.ControllerResponse.ElectedLeaders;
import io.tidemark.core.controller.ControllerResponse.ElectedLeaders.ElectionResult;
import io.tidemark.core.controller.ControllerResponse.Refused;
import io.tidemark.core.controller.ControllerResponse.UpdatedFeatures;
import io.tidemark.core.controller.ControllerResponse.UpdatedFeatures.FeatureResult;
import io.tidemark.core.message.PartitionRef;
import io.tidemark.core.metadata.MetadataView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;

/** IncrementalAlterConfigs, AlterConfigs, UpdateFeatures, ElectLeaders. */
final class ConfigMapping {
    private static final byte PREFERRED = 0;
    private static final byte UNCLEAN = 1;
    private static final byte UPGRADE = 1;
    private static final byte SAFE_DOWNGRADE = 2;

    /** By Kafka's code of the operation. */
    private static final List<ConfigOp.Op> OPS =
            List.of(ConfigOp.Op.SET, ConfigOp.Op.DELETE, ConfigOp.Op.APPEND, ConfigOp.Op.SUBTRACT);

    private ConfigMapping() {}

    private static byte code(ConfigOp.Op op) {
        return (byte) OPS.indexOf(op);
    }

    /** A resource as a request names it. */
    private record Resource(byte type, String name) implements Comparable<Resource> {
        @Override
        public int compareTo(Resource other) {
            return type == other.type ? name.compareTo(other.name) : Byte.compare(type, other.type);
        }
    }

    static IncrementalAlterConfigsRequestData request(AlterConfigs alter) {
        IncrementalAlterConfigsRequestData request =
                new IncrementalAlterConfigsRequestData().setValidateOnly(alter.validateOnly());
        for (ConfigChange change : alter.changes()) {
            IncrementalAlterConfigsRequestData.AlterConfigsResource resource =
                    new IncrementalAlterConfigsRequestData.AlterConfigsResource()
                            .setResourceType(change.resourceType())
                            .setResourceName(change.resourceName());
            for (ConfigOp op : change.ops()) {
                resource.configs()
                        .add(new IncrementalAlterConfigsRequestData.AlterableConfig()
                                .setName(op.key())
                                .setConfigOperation(code(op.op()))
                                .setValue(op.value()));
            }
            request.resources().add(resource);
        }
        return request;
    }

    /** Resources named twice, and unknown operations, are kept back and answered INVALID_REQUEST. */
    static AlterConfigs neutral(IncrementalAlterConfigsRequestData request) {
        Set<Resource> bad = bad(request);
        List<ConfigChange> changes = new ArrayList<>();
        for (IncrementalAlterConfigsRequestData.AlterConfigsResource resource : request.resources()) {
            if (!bad.contains(new Resource(resource.resourceType(), resource.resourceName()))) {
                List<ConfigOp> ops = new ArrayList<>();
                for (IncrementalAlterConfigsRequestData.AlterableConfig config : resource.configs()) {
                    ops.add(new ConfigOp(config.name(), OPS.get(config.configOperation()), config.value()));
                }
                changes.add(new ConfigChange(resource.resourceType(), resource.resourceName(), ops));
            }
        }
        return new AlterConfigs(changes, request.validateOnly());
    }

    private static Set<Resource> bad(IncrementalAlterConfigsRequestData request) {
        Set<Resource> bad = new LinkedHashSet<>(AdminMapping.twice(
                request.resources(),
                (IncrementalAlterConfigsRequestData.AlterConfigsResource r) ->
                        new Resource(r.resourceType(), r.resourceName())));
        for (IncrementalAlterConfigsRequestData.AlterConfigsResource resource : request.resources()) {
            boolean unsound =
                    !AdminMapping.twice(resource.configs(), IncrementalAlterConfigsRequestData.AlterableConfig::name)
                                    .isEmpty()
                            || resource.configs().stream()
                                    .anyMatch(c -> c.configOperation() < 0 || c.configOperation() >= OPS.size());
            if (unsound) {
                bad.add(new Resource(resource.resourceType(), resource.resourceName()));
            }
        }
        return bad;
    }

    static IncrementalAlterConfigsResponseData answer(
            IncrementalAlterConfigsRequestData request, ControllerResponse response) {
        IncrementalAlterConfigsResponseData answer = new IncrementalAlterConfigsResponseData();
        Set<Resource> asked = new LinkedHashSet<>();
        request.resources().forEach(r -> asked.add(new Resource(r.resourceType(), r.resourceName())));
        for (ConfigResult result : results(asked, bad(request), response)) {
            answer.responses()
                    .add(new IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse()
                            .setResourceType(result.resourceType())
                            .setResourceName(result.resourceName())
                            .setErrorCode(result.error().code())
                            .setErrorMessage(result.message()));
        }
        return answer;
    }

    private static List<ConfigResult> results(Set<Resource> asked, Set<Resource> bad, ControllerResponse response) {
        List<ConfigResult> results = new ArrayList<>();
        for (Resource r : bad) {
            results.add(new ConfigResult(
                    r.type(),
                    r.name(),
                    ErrorCode.INVALID_REQUEST,
                    "Each resource and each key must be named once, with an operation from 0 to 3."));
        }
        if (response instanceof AlteredConfigs altered) {
            results.addAll(altered.results());
        } else {
            Refused refused = AdminMapping.refusal(response);
            for (Resource r : asked) {
                if (!bad.contains(r)) {
                    results.add(new ConfigResult(r.type(), r.name(), refused.error(), refused.message()));
                }
            }
        }
        return results;
    }

    static ControllerResponse neutral(IncrementalAlterConfigsResponseData answer) {
        return new AlteredConfigs(answer.responses().stream()
                .map(r -> new ConfigResult(
                        r.resourceType(), r.resourceName(), ErrorCode.forCode(r.errorCode()), r.errorMessage()))
                .toList());
    }

    /** What the old call means: set what it names, delete what it does not. */
    static AlterConfigs incremental(AlterConfigsRequestData request, MetadataView view) {
        Map<Resource, ConfigChange> changes = new LinkedHashMap<>();
        for (AlterConfigsRequestData.AlterConfigsResource resource : request.resources()) {
            List<ConfigOp> ops = new ArrayList<>();
            for (AlterConfigsRequestData.AlterableConfig config : resource.configs()) {
                ops.add(
                        config.value() == null
                                ? new ConfigOp(config.name(), ConfigOp.Op.DELETE, null)
                                : new ConfigOp(config.name(), ConfigOp.Op.SET, config.value()));
            }
            for (String key : view.configs(resource.resourceType(), resource.resourceName())
                    .keySet()) {
                if (resource.configs().find(key) == null) {
                    ops.add(new ConfigOp(key, ConfigOp.Op.DELETE, null));
                }
            }
            changes.put(
                    new Resource(resource.resourceType(), resource.resourceName()),
                    new ConfigChange(resource.resourceType(), resource.resourceName(), ops));
        }
        twiceNamed(request).forEach(changes::remove);
        return new AlterConfigs(List.copyOf(changes.values()), request.validateOnly());
    }

    private static Set<Resource> twiceNamed(AlterConfigsRequestData request) {
        Set<Resource> bad = new LinkedHashSet<>(AdminMapping.twice(
                request.resources(),
                (AlterConfigsRequestData.AlterConfigsResource r) -> new Resource(r.resourceType(), r.resourceName())));
        for (AlterConfigsRequestData.AlterConfigsResource resource : request.resources()) {
            if (!AdminMapping.twice(resource.configs(), AlterConfigsRequestData.AlterableConfig::name)
                    .isEmpty()) {
                bad.add(new Resource(resource.resourceType(), resource.resourceName()));
            }
        }
        return bad;
    }

    static AlterConfigsResponseData answer(AlterConfigsRequestData request, ControllerResponse response) {
        AlterConfigsResponseData answer = new AlterConfigsResponseData();
        Set<Resource> asked = new LinkedHashSet<>();
        request.resources().forEach(r -> asked.add(new Resource(r.resourceType(), r.resourceName())));
        for (ConfigResult result : results(asked, twiceNamed(request), response)) {
            answer.responses()
                    .add(new AlterConfigsResponseData.AlterConfigsResourceResponse()
                            .setResourceType(result.resourceType())
                            .setResourceName(result.resourceName())
                            .setErrorCode(result.error().code())
                            .setErrorMessage(result.message()));
        }
        return answer;
    }

    static UpdateFeaturesRequestData request(UpdateFeatures update, int timeoutMs) {
        UpdateFeaturesRequestData request =
                new UpdateFeaturesRequestData().setTimeoutMs(timeoutMs).setValidateOnly(update.validateOnly());
        for (FeatureUpdate feature : update.updates()) {
            request.featureUpdates()
                    .add(new UpdateFeaturesRequestData.FeatureUpdateKey()
                            .setFeature(feature.name())
                            .setMaxVersionLevel(feature.level())
                            .setUpgradeType(feature.allowDowngrade() ? SAFE_DOWNGRADE : UPGRADE));
        }
        return request;
    }

    static UpdateFeatures neutral(UpdateFeaturesRequestData request) {
        return new UpdateFeatures(
                request.featureUpdates().stream()
                        .map(f -> new FeatureUpdate(
                                f.feature(), f.maxVersionLevel(), f.allowDowngrade() || f.upgradeType() > UPGRADE))
                        .toList(),
                request.validateOnly());
    }

    /** From version 2 on one error stands for all: nothing is updated then. */
    static UpdateFeaturesResponseData answer(ControllerResponse response, short version) {
        UpdateFeaturesResponseData answer = new UpdateFeaturesResponseData();
        if (!(response instanceof UpdatedFeatures updated)) {
            Refused refused = AdminMapping.refusal(response);
            return answer.setErrorCode(refused.error().code()).setErrorMessage(refused.message());
        }
        for (FeatureResult result : updated.results()) {
            if (version < 2) {
                answer.results()
                        .add(new UpdateFeaturesResponseData.UpdatableFeatureResult()
                                .setFeature(result.name())
                                .setErrorCode(result.error().code())
                                .setErrorMessage(result.message()));
            } else if (result.error() != ErrorCode.NONE && answer.errorCode() == 0) {
                answer.setErrorCode(result.error().code())
                        .setErrorMessage("The update failed for all features since the following feature had an error: "
                                + result.message());
            }
        }
        return answer;
    }

    static ControllerResponse neutral(UpdateFeaturesResponseData answer) {
        if (answer.errorCode() != 0) {
            return new Refused(ErrorCode.forCode(answer.errorCode()), answer.errorMessage());
        }
        return new UpdatedFeatures(answer.results().stream()
                .map(r -> new FeatureResult(r.feature(), ErrorCode.forCode(r.errorCode()), r.errorMessage()))
                .toList());
    }

    static ElectLeadersRequestData request(ElectLeaders elect, int timeoutMs) {
        ElectLeadersRequestData request = new ElectLeadersRequestData()
                .setElectionType(elect.unclean() ? UNCLEAN : PREFERRED)
                .setTimeoutMs(timeoutMs);
        List<TopicAndPartition> partitions = elect.partitions();
        if (partitions == null) {
            return request.setTopicPartitions(null);
        }
        Map<String, List<Integer>> byTopic = new LinkedHashMap<>();
        partitions.forEach(
                p -> byTopic.computeIfAbsent(p.topic(), t -> new ArrayList<>()).add(p.partition()));
        byTopic.forEach((topic, numbers) -> request.topicPartitions()
                .add(new ElectLeadersRequestData.TopicPartitions()
                        .setTopic(topic)
                        .setPartitions(numbers)));
        return request;
    }

    /** Whether the election type is one that Kafka defines. */
    static boolean knownElection(ElectLeadersRequestData request) {
        return request.electionType() == PREFERRED || request.electionType() == UNCLEAN;
    }

    static ElectLeaders neutral(ElectLeadersRequestData request) {
        List<TopicAndPartition> partitions = null;
        if (request.topicPartitions() != null) {
            Distinct<TopicAndPartition> distinct = new Distinct<>();
            for (ElectLeadersRequestData.TopicPartitions topic : request.topicPartitions()) {
                topic.partitions()
                        .forEach(p -> distinct.put(
                                PartitionRef.byName(topic.topic(), p), new TopicAndPartition(topic.topic(), p)));
            }
            partitions = distinct.items();
        }
        return new ElectLeaders(request.electionType() == UNCLEAN, partitions);
    }

    static ElectLeadersResponseData answer(
            ElectLeadersRequestData request, ControllerResponse response, short version) {
        if (response instanceof ElectedLeaders elected) {
            return answer(elected.results());
        }
        Refused refused = AdminMapping.refusal(response);
        List<ElectionResult> results = new ArrayList<>();
        List<TopicAndPartition> asked = neutral(request).partitions();
        if (asked != null) {
            asked.forEach(
                    p -> results.add(new ElectionResult(p.topic(), p.partition(), refused.error(), refused.message())));
        }
        ElectLeadersResponseData answer = answer(results);
        return version >= 1 ? answer.setErrorCode(refused.error().code()) : answer;
    }

    private static ElectLeadersResponseData answer(List<ElectionResult> results) {
        Map<String, List<ElectLeadersResponseData.PartitionResult>> byTopic = new LinkedHashMap<>();
        for (ElectionResult result : results) {
            byTopic.computeIfAbsent(result.topic(), t -> new ArrayList<>())
                    .add(new ElectLeadersResponseData.PartitionResult()
                            .setPartitionId(result.partition())
                            .setErrorCode(result.error().code())
                            .setErrorMessage(result.message()));
        }
        ElectLeadersResponseData answer = new ElectLeadersResponseData();
        byTopic.forEach((topic, partitions) -> answer.replicaElectionResults()
                .add(new ElectLeadersResponseData.ReplicaElectionResult()
                        .setTopic(topic)
                        .setPartitionResult(partitions)));
        return answer;
    }

    static ControllerResponse neutral(ElectLeadersResponseData answer) {
        if (answer.errorCode() != 0) {
            return new Refused(ErrorCode.forCode(answer.errorCode()), null);
        }
        List<ElectionResult> results = new ArrayList<>();
        for (ElectLeadersResponseData.ReplicaElectionResult topic : answer.replicaElectionResults()) {
            for (ElectLeadersResponseData.PartitionResult p : topic.partitionResult()) {
                results.add(new ElectionResult(
                        topic.topic(), p.partitionId(), ErrorCode.forCode(p.errorCode()), p.errorMessage()));
            }
        }
        return new ElectedLeaders(results);
    }
}
