import { smoke } from './smoke.mjs'

/** An edge runtime starts no program: it answers requests. */
export default {
  async fetch(request) {
    return Response.json(await smoke(await request.json()))
  },
}
