/**
 * The two names of a substance: WHO's international (or the British) name and the United States
 * Adopted Name. Tried when a word finds nothing.
 */
const pairs = [
  ['paracetamol', 'acetaminophen'],
  ['salbutamol', 'albuterol'],
  ['adrenaline', 'epinephrine'],
  ['noradrenaline', 'norepinephrine'],
  ['lignocaine', 'lidocaine'],
  ['glibenclamide', 'glyburide'],
  ['pethidine', 'meperidine'],
  ['rifampicin', 'rifampin'],
  ['frusemide', 'furosemide'],
  ['ciclosporin', 'cyclosporine'],
  ['cefalexin', 'cephalexin'],
  ['aciclovir', 'acyclovir'],
  ['amoxycillin', 'amoxicillin'],
  ['beclometasone', 'beclomethasone'],
  ['suxamethonium', 'succinylcholine'],
  ['isoprenaline', 'isoproterenol'],
  ['colecalciferol', 'cholecalciferol'],
  ['oestradiol', 'estradiol'],
  ['dicycloverine', 'dicyclomine'],
  ['mesalazine', 'mesalamine'],
  ['torasemide', 'torsemide'],
  ['bendroflumethiazide', 'bendrofluazide'],
] as const

const names: ReadonlyMap<string, string> = new Map(
  pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]),
)

/** The other name of a substance, if it has one. */
export const findSynonyms = (word: string): string[] => {
  const other = names.get(word)
  return other ? [other] : []
}
