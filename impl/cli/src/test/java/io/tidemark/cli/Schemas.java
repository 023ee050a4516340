package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;

/** The schemas of docs/schemas. */
public final class Schemas {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Schemas() {}

    /** The one document that the text is, after its schema has accepted it. */
    public static JsonNode validated(String name, String text) throws IOException {
        JsonNode document;
        try (JsonParser parser = JSON.createParser(text)) {
            document = JSON.readTree(parser);
            assertThat(parser.nextToken()).as("a second document").isNull();
        }
        JsonSchema schema = JsonSchemaFactory.getInstance(VersionFlag.V202012)
                .getSchema(SchemaLocation.of(Cli.ROOT
                        .resolve("docs/schemas/" + name + ".json")
                        .toUri()
                        .toString()));
        assertThat(schema.validate(document)).isEmpty();
        return document;
    }
}
