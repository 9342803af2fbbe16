import { config } from 'zod'
import { styleNonce } from './installation.ts'

// The contract's schemas would try `new Function` when they are created, which the page's policy forbids.
config({ jitless: true })
// react-remove-scroll, which Mantine's dialogs use, reads this nonce for its style element.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

// A dynamic import, because static ones would create the schemas before the lines above run.
const { start } = await import('./start.tsx')
start()
