import { config } from 'zod'
import { styleNonce } from './style-nonce.ts'

// Schemas of the contract try `new Function` when they are made, which the policy of the page refuses.
config({ jitless: true })
// What react-remove-scroll, which dialogs use, reads to be allowed its style element.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

// Imported now and not above: modules that make schemas would otherwise run first.
const { start } = await import('./start.tsx')
start()
