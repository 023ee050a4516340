/**
 * What a build could not test: read from the reports of all modules once the last test has run. Depends on the JDK
 * alone; knows the places where Surefire and Failsafe leave their reports.
 */
package io.tidemark.needs;
