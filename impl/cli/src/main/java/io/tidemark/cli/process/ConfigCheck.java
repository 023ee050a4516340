package io.tidemark.cli.process;

import io.tidemark.cli.contract.CliException;
import io.tidemark.cli.contract.ExitCode;
import io.tidemark.node.config.ConfigError;
import io.tidemark.node.config.ConfigException;
import io.tidemark.node.config.ServerConfig;
import java.io.PrintStream;
import java.util.List;

/** Reads a node's configuration as the node will, before a process is started or a file is written. */
public final class ConfigCheck {
    private ConfigCheck() {}

    /**
     * The node's warnings about its file.
     *
     * @param err gets a line for each mistake but the last
     * @throws CliException for the last mistake
     */
    public static List<String> warnings(NodeDirectory node, PrintStream err) {
        try {
            return ServerConfig.load(node.config()).warnings();
        } catch (ConfigException e) {
            List<ConfigError> errors = e.errors();
            errors.subList(0, errors.size() - 1).forEach(error -> err.println("tidemark: " + error));
            ConfigError last = errors.get(errors.size() - 1);
            throw new CliException(
                    last.where(), last.message(), last.expected(), ExitCode.INPUT, last.code(), last.nearest());
        }
    }
}
