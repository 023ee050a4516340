/**
 * Random histories, valid and faulty, of any size: of a broker and of objects that are simulated here. Depends on {@code
 * history}, {@code engine} and the JDK.
 */
@NullMarked
package io.tidemark.history.generate;

import org.jspecify.annotations.NullMarked;
