const FINISH_LIMIT_MS = 3_000

const form = document.forms.signup
const field = form.elements.request_id
// Loaded with the page, but run at the first input: a page may be open for long before.
const agent = import(form.dataset.agent)
const identified = Promise.withResolvers()

form.addEventListener('focusin', identify, { once: true })
// The visitor may have focused a field before this script ran.
if (form.contains(document.activeElement)) identify()

function identify() {
  agent.then(({ forceCheckAnonymous }) => {
    forceCheckAnonymous({
      onInitialized({ status, requestID }) {
        if (status === 'initialized') field.value = requestID
        identified.resolve()
      },
    })
  }, identified.resolve)
}

form.addEventListener('submit', async (event) => {
  if (field.value) return
  event.preventDefault()
  await Promise.race([identified.promise, new Promise((resolve) => setTimeout(resolve, FINISH_LIMIT_MS))])
  form.submit()
})
