/** An ordinary sign-up page that runs `measure-visit.ts`, after a library if one is named. */
export const signupPage = (
  visit: string,
  agentUrl: string,
  { honeytokens, library }: { honeytokens: boolean; library: string | null },
): string => `<!doctype html>
<html lang="en" data-visit="${visit}" data-agent="${agentUrl.replaceAll('&', '&amp;')}"${honeytokens ? ' data-honeytokens' : ''}>
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Create your account</title>
  <link rel="icon" href="data:,">
  ${library === null ? '' : `<script src="/libraries/${library}.js"></script>`}
  <style>
    body { font: 16px/1.5 sans-serif; margin: 2rem }
    label, button { display: block; margin-bottom: 1rem }
    input { display: block; font: inherit; width: 18rem }
    button { font: inherit; padding: .5rem 1rem }
  </style>
</head>
<body>
  <h1>Create your account</h1>
  <form id="signup" novalidate>
    <label>Name <input id="name" name="name" autocomplete="off"></label>
    <label>Email <input id="email" name="email" type="email" autocomplete="off"></label>
    <button id="join" type="submit">Create account</button>
  </form>
  <p>By creating an account you agree to the terms.</p>
  <script type="module" src="/measure.js"></script>
</body>
</html>`

/** The start page of a visit that navigates to the form by hand. */
export const startPage = (visit: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Start</title><link rel="icon" href="data:,"></head>
<body><p>Start</p>
<script>addEventListener('load', () => fetch('/visits/${visit}/notes/started', { method: 'POST', body: 'true' }))</script>
</body></html>`

/** A page that goes on to another one as soon as something reads the console, such as DevTools that take seconds to open. */
export const inspectedPage = (next: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Start</title><link rel="icon" href="data:,"></head>
<body><p>Start</p>
<script>
  Error.prepareStackTrace = () => location.replace(${JSON.stringify(next)})
  setInterval(() => console.groupEnd(new Error()), 100)
</script>
</body></html>`

/** A page of another layout that holds the form in a frame, which begins at a fraction of a pixel. */
export const framedPage = (visit: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,"></head>
<body><iframe src="/signup?visit=${visit}" width="900" height="640" style="margin: 7.37px 11.81px; border: 0"></iframe></body></html>`
