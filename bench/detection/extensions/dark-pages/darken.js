/** As extensions for dark pages do: a style of its own, and attributes on the root. */
const style = document.createElement('style')
style.textContent = ':root { filter: invert(0.9) hue-rotate(180deg); background: #111 !important }'
document.documentElement.append(style)
document.documentElement.dataset.darkPages = 'on'
