// Runs before the first paint. A module would run after it, and the page would flash in the wrong scheme.
{
  let chosen = null
  try {
    chosen = localStorage.getItem('inkling-color-scheme')
  } catch {
    // Storage is blocked: follow the system.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
