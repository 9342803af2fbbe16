import { init } from './redoc.js'

init(
  'openapi.json',
  { disableTelemetry: true, schemasExpansionLevel: 1, jsonSamplesExpandLevel: 4 },
  document.getElementById('reference'),
)
