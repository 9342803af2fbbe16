export const userAgent = (): string => navigator.userAgent
