import { inspectedPage } from '../../detection/src/page/signup-page.ts'

/** All pages: a script whose behaviour the address selects, or a frame with such a page. */
export function pageHtml(path: string, query: URLSearchParams): string {
  if (path === '/inspected') return inspectedPage(query.get('of') ?? '')
  if (path === '/frame') return html(`<iframe src="${escaped(query.get('of') ?? '')}"></iframe>`)
  if (path === '/left') return html(`<p>Another page</p>${query.has('back') ? GO_BACK : ''}`)
  if (path === '/start') return html('<p>Start</p><script type="module" src="/start.js"></script>')
  const script = path === '/capture' ? 'capture' : path === '/harvest' ? 'harvest' : 'visit'
  const policy = query.get('policy')
  return html(
    `<p>Shop</p><input id="name"><script type="module" src="/${script}.js"></script>`,
    policy ? `<meta http-equiv="content-security-policy" content="${escaped(policy)}">` : '',
  )
}

/** After the page was shown, or browsers replace it in their history. */
const GO_BACK = `<script>
addEventListener('pageshow', () => setTimeout(() => history.back(), 500))
</script>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const html = (body: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  ${head}
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Shop</title>
  <link rel="icon" href="data:,">
</head>
<body>${body}</body>
</html>`
