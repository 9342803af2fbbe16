/** The browser lacks what a source needs. Expected, and told apart from a source that broke. */
export class Unsupported extends Error {}
