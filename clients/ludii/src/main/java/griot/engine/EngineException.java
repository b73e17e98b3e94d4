package griot.engine;

/** The engine cannot be started, has died, does not answer, or has refused a command. */
public final class EngineException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param message what went wrong, for people */
    public EngineException(final String message) {
        super(message);
    }

    /**
     * @param message what went wrong, for people
     * @param cause   what the system said
     */
    public EngineException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
