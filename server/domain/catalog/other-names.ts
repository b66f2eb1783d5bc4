/**
 * Names of one substance on either side of an ocean: WHO's international name (or the British one), then the name adopted
 * in the United States. Tried when the word that was typed finds nothing.
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
export const otherNames = (word: string): string[] => {
  const other = names.get(word)
  return other ? [other] : []
}
