/**
 * Everyday words of directions. Any other word of directions is reported, so that a code that was
 * not expanded is seen before it is printed; and none of them alone is taken for a medicine's name.
 */
export const plainWords: ReadonlySet<string> = new Set(
  `a an and the of to in on at by with without for from or if then than until when while before after during between
  take apply inhale place insert inject use chew swallow dissolve mix shake rinse wash remove wear put give drink
  spray instill massage rub check test repeat increase decrease start stop finish continue alternate
  mouth tongue cheek skin eye eyes ear ears nose nostril nostrils rectum vagina scalp face area areas affected
  muscle nebulizer under into inside onto over around thin small layer amount pea-sized
  food meal meals breakfast lunch dinner supper water milk juice empty stomach full glass bedtime bed
  once twice times time day days daily week weeks weekly month months monthly hour hours minute minutes night nightly
  morning noon afternoon evening every each other another more maximum no not do only all least most up per
  needed directed prescribed tolerated instructed doctor doctor’s doctor's prescriber whole half slowly well evenly away
  dose doses pain fever cough nausea vomiting itching allergies allergy anxiety sleep headache headaches infection inflammation
  blood pressure cholesterol diabetes asthma breathing wheezing shortness breath heartburn reflux swelling rash dry
  monday tuesday wednesday thursday friday saturday sunday first second third last next one-half total course`
    .split(/\s+/)
    .filter(Boolean),
)
