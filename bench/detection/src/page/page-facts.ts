/** What the page itself sees of the browser: for people who read the results, never for a verdict. */
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
