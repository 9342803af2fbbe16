import { NIL_UUID } from '@inkling/contract'
import { z } from 'zod'

const notNil = (id: string): boolean => id !== NIL_UUID
const NIL_IS_NOBODY = 'the nil UUID stands for everybody without an identifier'

export const requestId = z
  .guid()
  .refine(notNil, NIL_IS_NOBODY)
  .describe('Request ID of the identification, a UUID')

export const deviceId = z.guid().refine(notNil, NIL_IS_NOBODY).describe('Device ID, a UUID')
