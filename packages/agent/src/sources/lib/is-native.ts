/** Whether a function is the browser's own, by its text. Engines break the line in it differently. */
export const isNative = (native: object, name: string): boolean =>
  new RegExp(`^function (get )?${name}\\(\\) \\{\\s*\\[native code\\]\\s*\\}$`).test(
    Function.prototype.toString.call(native),
  )
