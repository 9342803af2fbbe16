/** Deprecated and frozen per system, which is why a browser that claims another system forgets it. */
export const platform = (): string => navigator.platform
