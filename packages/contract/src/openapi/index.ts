export type { Deployment, PublicUrls } from './deployment.ts'
export { type OpenApiDocument, type OpenApiOptions, openApi } from './open-api.ts'
export { type JsonSchema, jsonSchemas, PUBLISHED_SCHEMAS, type PublishedSchema } from './schemas.ts'
