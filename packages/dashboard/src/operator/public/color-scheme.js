// Before the first paint: a module would run after it, and the page would flash in the other scheme.
{
  let chosen = null
  try {
    chosen = localStorage.getItem('inkling-color-scheme')
  } catch {
    // Storage that is blocked: the system's scheme it is.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
