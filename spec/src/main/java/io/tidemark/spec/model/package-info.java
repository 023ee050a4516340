/** What is to be checked: the manifest, TLC's configuration files, the vocabulary of actions and guards, and the modules as SANY reads them. Depends on {@code tla2sany} only. */
@NullMarked
package io.tidemark.spec.model;

import org.jspecify.annotations.NullMarked;
