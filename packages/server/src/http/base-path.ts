/**
 * Strips the paths of the public base URLs, so that routes need not know them: with the base URL
 * `https://shop.example/assets/i`, `/assets/i/agent.js` becomes `/agent.js`.
 */
export function createBasePath(baseUrls: readonly string[]): (url: string) => string {
  const paths = [...new Set(baseUrls.map((url) => new URL(url).pathname.replace(/\/+$/, '')))]
    .filter((path) => path !== '')
    // Longest first, because one may be below another.
    .sort((a, b) => b.length - a.length)
  return (url) => {
    const path = paths.find((base) => url.startsWith(`${base}/`))
    return path === undefined ? url : url.slice(path.length)
  }
}
