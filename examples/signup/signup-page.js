const FINISH_LIMIT_MS = 3_000

const form = document.forms.signup
const field = form.elements.request_id
// Loaded with the page; begun when the visitor does, so that on a page that was open for long it is fresh.
const agent = import(form.dataset.agent)
const identified = Promise.withResolvers()

form.addEventListener('focusin', identify, { once: true })
// The visitor may have been faster than this script.
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
