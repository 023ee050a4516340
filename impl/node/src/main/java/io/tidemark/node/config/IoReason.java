package io.tidemark.node.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** Why the file system refused, in words: the JDK's exceptions say it with the name of their class alone. */
public final class IoReason {
    private IoReason() {}

    /** Without the place at fault, where the caller has named it: {@code permission denied}. */
    public static String of(IOException error) {
        if (error instanceof FileAlreadyExistsException || error instanceof NotDirectoryException) {
            return "not a directory";
        } else if (error instanceof AccessDeniedException) {
            return "permission denied";
        } else if (error instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason().replaceFirst("^N", "n");
        } else if (error instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        return or(error.getMessage(), error.getClass().getSimpleName());
    }

    private static String or(@Nullable String message, String otherwise) {
        return message == null || message.isBlank() ? otherwise : message;
    }
}
