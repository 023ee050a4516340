package io.tidemark.history.edn;

/** Which characters make up symbols, keywords and tags. */
final class Token {
    private static final String PUNCTUATION = ".*+!-_?$%&=<>/:#'|";

    private Token() {}

    static boolean isPart(int c) {
        return c > ' ' && (Character.isLetterOrDigit(c) || PUNCTUATION.indexOf(c) >= 0);
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isConstant(String name) {
        return name.equals("nil") || name.equals("true") || name.equals("false");
    }

    static void require(String what, String name) {
        boolean valid = !name.isEmpty() && name.charAt(0) != '#' && name.chars().allMatch(Token::isPart);
        if (!valid) {
            throw new IllegalArgumentException(
                    what + ": \"" + name + "\" is empty or has a character EDN does not allow");
        }
    }
}
