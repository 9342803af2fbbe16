/** Another transaction wrote what this one had found missing. The batch has to be repeated. */
export class LostRace extends Error {}
