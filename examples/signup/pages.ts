export interface FormPage {
  /** URL of the agent's module. */
  agent: string
  /** Why the form was refused. */
  message?: string | undefined
}

export const formPage = ({ agent, message }: FormPage): string =>
  page(
    'Sign up',
    `${message === undefined ? '' : `<p role="alert">${escaped(message)}</p>`}
    <form id="signup" method="post" action="/" data-agent="${escaped(agent)}">
      <input type="hidden" name="request_id" autocomplete="off">
      <p><label>E-mail <input type="email" name="email" required autocomplete="email"></label>
      <p><button>Sign up</button>
    </form>
    <script type="module" src="/signup-page.js"></script>`,
  )

export const welcomePage = (email: string): string =>
  page('Welcome', `<p role="status">Your account ${escaped(email)} is ready.</p>`)

/** For an account that a person or an e-mail has to confirm first. */
export const waitPage = (email: string, next: string): string =>
  page(
    'Almost there',
    `<p role="status">Your account ${escaped(email)} is almost ready. ${escaped(next)}</p>`,
  )

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    ${body}
  </body>
</html>
`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
