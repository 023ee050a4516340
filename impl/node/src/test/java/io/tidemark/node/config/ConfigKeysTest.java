package io.tidemark.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.junit.jupiter.api.Test;

class ConfigKeysTest {
    @Test
    void theTableHasKafkasSecurityKeysWithTheirDefaults() {
        ConfigDef definitions = BrokerSecurityConfigs.CONFIG_DEF;
        assertThat(definitions.configKeys()).hasSizeGreaterThan(60).containsKey(SslConfigs.SSL_PROTOCOL_CONFIG);
        for (Map.Entry<String, ConfigDef.ConfigKey> entry :
                definitions.configKeys().entrySet()) {
            ConfigKey key = ConfigKeys.ALL.get(entry.getKey());
            assertThat(key).as(entry.getKey()).isNotNull();
            assertThat(key.type().name()).isEqualTo(entry.getValue().type().name());
            Object expected = entry.getValue().defaultValue;
            assertThat(key.defaultValue())
                    .as(key.name())
                    .isEqualTo(expected == null ? null : ConfigDef.convertToString(expected, entry.getValue().type));
        }
    }

    @Test
    void everyDefaultIsInItsOwnRange() {
        for (ConfigKey key : ConfigKeys.ALL.values()) {
            String value = key.defaultValue();
            if (value != null && key.type().isWhole()) {
                assertThat(key.range().contains(Long.parseLong(value)) || value.equals("-1"))
                        .as(key.name())
                        .isTrue();
            }
            assertThat(key.text()).as(key.name()).isNotEmpty();
        }
    }
}
