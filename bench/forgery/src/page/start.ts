/** Says that the starting page is shown. */
const id = new URLSearchParams(location.search).get('visit')
addEventListener('load', () => fetch(`/visits/${id}/notes/started`, { method: 'POST', body: 'true' }))
