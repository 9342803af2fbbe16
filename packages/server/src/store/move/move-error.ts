/** A store that cannot be moved; the operator reads the message. */
export class MoveError extends Error {}
