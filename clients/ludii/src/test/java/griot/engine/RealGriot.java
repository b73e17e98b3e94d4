package griot.engine;

import org.junit.AssumptionViolatedException;

/** The configured griot, for tests that need it. */
public final class RealGriot {
    private RealGriot() {
    }

    /** @return the program; without one the test is skipped */
    public static Program program() {
        try {
            return Program.ofTheSystem();
        } catch (final EngineException e) {
            throw new AssumptionViolatedException(e.getMessage());
        }
    }
}
