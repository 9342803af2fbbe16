type Replace = (part: unknown, holder: unknown) => unknown

/**
 * The JSON of a value, as if nobody had changed the page's built-in prototypes. Prototype.js 1.6 gives arrays a `toJSON`
 * that makes a text of them, and `JSON.stringify` calls it before the replacer. So each part is read from its holder again.
 */
export const toJson = (value: unknown, replace: Replace = (part) => part): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key) {
    return replace(this[key], this)
  })
