/**
 * Makes paths below the public base URLs' own paths root paths again, so that routes know nothing of where
 * an operator serves them: with `https://shop.example/assets/i`, `/assets/i/agent.js` is `/agent.js`.
 */
export function createBasePath(baseUrls: readonly string[]): (url: string) => string {
  const paths = [...new Set(baseUrls.map((url) => new URL(url).pathname.replace(/\/+$/, '')))]
    .filter((path) => path !== '')
    // The longer one first: it may lie below the other.
    .sort((a, b) => b.length - a.length)
  return (url) => {
    const path = paths.find((base) => url.startsWith(`${base}/`))
    return path === undefined ? url : url.slice(path.length)
  }
}
