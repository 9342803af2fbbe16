/** What the page sees of the browser, for readers of the results only. Verdicts do not use it. */
export const pageFacts = () => ({
  userAgent: navigator.userAgent,
  webdriver: navigator.webdriver,
  platform: navigator.platform,
  languages: navigator.languages,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  focused: document.hasFocus(),
  inner: [innerWidth, innerHeight],
  outer: [outerWidth, outerHeight],
  screen: [screen.width, screen.height],
  scale: devicePixelRatio,
})

export type PageFacts = ReturnType<typeof pageFacts>
