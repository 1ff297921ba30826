package org.example.ships;

import java.util.List;
import java.util.Map.Entry;
import static java.lang.Math.max;
import org.example.rates.*;

/** A place on a route. */
public class Sample extends Base implements Rated, Comparable<Sample> {
    /** How much fits. */
    public static final int LIMIT = 40;
    private final String name;
    protected double weight = 0.0, height;
    List<Sample> others;

    static {
        System.out.println("loaded");
    }

    public Sample(String name) {
        super(name);
        this.name = name;
    }

    /** What is printed. */
    @Override
    public String label(int times, String... rest) throws IllegalStateException {
        String text = this.name.toUpperCase();
        for (int i = 0; i < times; i++) {
            text += helper(i);
        }
        for (Sample other : others) {
            other.label(1);
        }
        Runnable run = () -> System.out.println(LIMIT);
        run.run();
        return max(1, 2) + text;
    }

    private static String helper(int value) {
        var made = new Sample("x");
        made.weight = value;
        return made.label(value);
    }

    public <T extends Rated> T choose(T one, T two) {
        return one.rate() > two.rate() ? one : two;
    }

    @Override
    public int compareTo(Sample o) {
        try {
            return Double.compare(weight, o.weight);
        } catch (RuntimeException error) {
            throw error;
        }
    }

    enum Color {
        RED,
        BLUE("b") {
            void paint() {}
        };

        private String code;

        Color(String... codes) {
            this.code = codes[0];
        }
    }

    interface Visitor<R> {
        int MAX = 3;

        R visit(Sample sample);

        default void done() {}
    }

    static class Inner {
        int depth;
    }
}

interface Rated {
    double rate();
}

@interface Marked {
    String value() default "x";
}

record Point(int x, int y) implements Rated {
    public double rate() {
        return x + y;
    }
}

enum Size { SMALL, LARGE }

class Base {
    Base(String name) {}
}
