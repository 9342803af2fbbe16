/** Content that is not what the feed promises; an operator reads the message. */
export class MalformedFeed extends Error {}
