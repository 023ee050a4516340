package io.tidemark.history.edn;

/** An EDN symbol other than {@code nil}, {@code true} and {@code false}. */
public record Symbol(String name) {
    public Symbol {
        Token.require("symbol", name);
        char first = name.charAt(0);
        boolean signedDigit = (first == '+' || first == '-') && name.length() > 1 && Token.isDigit(name.charAt(1));
        if (Token.isDigit(first) || first == ':' || signedDigit || Token.isConstant(name)) {
            throw new IllegalArgumentException("symbol: " + name + " reads as something else");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
