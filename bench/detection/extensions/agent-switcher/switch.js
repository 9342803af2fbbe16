/** As switchers of the user agent do. */
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
Object.defineProperty(Navigator.prototype, 'userAgent', {
  configurable: true,
  enumerable: true,
  get: () => AGENT,
})
Object.defineProperty(Navigator.prototype, 'appVersion', {
  configurable: true,
  enumerable: true,
  get: () => AGENT.slice('Mozilla/'.length),
})
