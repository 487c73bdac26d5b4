//! Forms of one usage, which mixtures refine together, and what they hold besides ports.

use super::forms::Told;
use super::held::{held_alone, without_own_time};
use super::reach::Reach;
use super::streams::Usages;
use crate::infer::ports::{
    ConjunctiveClass, ConjunctiveResource, ConjunctiveTrial, MicroOps, Ports, SwapTrial, Usage,
    UsageTie, WorkedOn, conjunctive_resources, cycles, tie_together,
};
use crate::maps::Map;
use crate::metadata::OpcodeId;

/// Forms of one usage that work on the same kinds of things ([`Reach`]).
#[derive(Clone)]
pub(super) struct UsageClasses {
    pub usages: Vec<Usage>,
    /// What the forms of each work on.
    pub reaches: Vec<Reach>,
    pub of_form: Map<OpcodeId, usize>,
    /// Classes whose usage is that of two others together.
    pub ties: Vec<UsageTie>,
}

impl UsageClasses {
    pub fn of(
        usages: &Usages,
        told: &Map<OpcodeId, Told>,
        reach: &dyn Fn(OpcodeId) -> Reach,
    ) -> Self {
        let mut keys: Vec<(&Usage, Option<&[Usage; 2]>, Reach)> = Vec::new();
        let mut of_form = Map::default();
        let mut opcodes: Vec<&OpcodeId> = usages.keys().collect();
        opcodes.sort_unstable();
        for &opcode in opcodes {
            let usage = &usages[&opcode];
            let parts = match told.get(&opcode) {
                Some(Told::Composed { parts, usage: told, .. })
                    if *told == without_own_time(usage) =>
                {
                    Some(&**parts)
                }
                _ => None,
            };
            let key = (usage, parts, reach(opcode));
            let class = keys.iter().position(|known| *known == key);
            let class = class.unwrap_or_else(|| {
                keys.push(key);
                keys.len() - 1
            });
            of_form.insert(opcode, class);
        }
        let free = |part: &Usage, wanted: Reach| {
            let there = (0..keys.len()).filter(|&at| keys[at].0 == part && keys[at].1.is_none());
            there.min_by_key(|&at| (keys[at].2.unlike(wanted), at))
        };
        let tie =
            |(form, (usage, parts, reach)): (usize, &(&Usage, Option<&[Usage; 2]>, Reach))| {
                let [one, other] = (*parts)?;
                Some(UsageTie {
                    form,
                    parts: [free(one, reach.in_registers())?, free(other, reach.of_access())?],
                    slots: usage.slots,
                    own: held_alone(usage),
                })
            };
        let ties = keys.iter().enumerate().filter_map(tie).collect();
        let usages = keys.iter().map(|(usage, ..)| (*usage).clone()).collect();
        let reaches = keys.iter().map(|(.., reach)| *reach).collect();
        Self { usages, reaches, of_form, ties }
    }

    /// The same, where what goes from one side of the core to the other uses no ports of general registers alone;
    /// nothing if none does.
    ///
    /// A result that comes from the other side may block a port at a time that the scheduler does not know of: what
    /// else could have gone to another port waits for that one. Beside streams that looks like micro-operations, and
    /// is a resource that others hold the longer the fewer ports they have. (One `vmovd eax, xmm0` of a Zen 4 and
    /// one to five shifts of two ports take 1.5, 2.0, 2.5, 3.0, 3.5 cycles, as if it went to both of them. Beside
    /// multiplications, which go to the first, it takes 1.0, 2.0, 3.0: it goes to the second. Beside
    /// additions of four ports 1.25, 1.47, 1.62, 1.94, 2.16, where one or two micro-operations would take
    /// 1.0, 1.0, 1.25, 1.5, 1.75.)
    pub fn without_far_ports(&self) -> Option<(Self, FarPorts)> {
        let far = FarPorts::of(self);
        let mut out = self.clone();
        let crossing = out.usages.iter_mut().zip(&self.reaches);
        for (usage, _) in crossing.filter(|(_, reach)| FarPorts::are_doubtful(**reach)) {
            usage.micro_ops.retain(|it| !far.has(it));
        }
        tie_together(&mut out.usages, &out.ties);
        (out.usages != self.usages).then_some((out, far))
    }

    /// What an instance of each takes by itself.
    pub fn alone(&self, width: Option<f64>) -> Vec<f64> {
        self.usages.iter().map(|usage| cycles(&[(usage, 1.0)], width)).collect()
    }

    /// The classes of a mixture; nothing if one of its forms has no usage.
    pub fn of_mixture(&self, forms: &[(OpcodeId, u32)]) -> Option<Vec<(usize, f64)>> {
        let class = |&(opcode, count): &(OpcodeId, u32)| {
            Some((*self.of_form.get(&opcode)?, f64::from(count)))
        };
        forms.iter().map(class).collect()
    }

    /// The classes of a mixture, where those that are tied to two others stand for these.
    fn untied(&self, forms: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let mut out: Vec<(usize, f64)> = Vec::new();
        let mut add = |class: usize, times: f64| match out.iter_mut().find(|it| it.0 == class) {
            Some((_, own)) => *own += times,
            None => out.push((class, times)),
        };
        for &(class, times) in forms {
            match self.ties.iter().find(|tie| tie.form == class) {
                Some(tie) => tie.parts.iter().for_each(|&part| add(part, times)),
                None => add(class, times),
            }
        }
        out
    }

    /// Lets those that are tied to two others hold a resource as long as these together, though no longer than
    /// they take by themselves: an addition that loads holds what an addition holds.
    fn hold_together(&self, weights: &mut [f64], classes: &[ConjunctiveClass]) {
        for tie in &self.ties {
            let both: f64 = tie.parts.iter().map(|&part| weights[part]).sum();
            weights[tie.form] = both.min(classes[tie.form].limit);
        }
    }

    fn first_form(&self, class: usize) -> Option<OpcodeId> {
        self.of_form.iter().filter(|(_, own)| **own == class).map(|(opcode, _)| *opcode).min()
    }
}

/// Ports that only general registers are worked on with.
#[derive(Debug, Clone, Copy)]
pub(super) struct FarPorts {
    general: Ports,
    others: Ports,
}

impl FarPorts {
    fn of(classes: &UsageClasses) -> Self {
        let of_registers = |registers: WorkedOn| {
            let classes = classes.usages.iter().zip(&classes.reaches);
            let near = classes.filter(|(usage, reach)| {
                usage.count() == 1 && !reach.accesses_memory() && reach.registers() == registers
            });
            near.fold(Ports::default(), |all, (usage, _)| all | usage.ports())
        };
        Self { general: of_registers(WorkedOn::General), others: of_registers(WorkedOn::Others) }
    }

    /// Whether what has this reach may seem to use them, and not do it.
    pub fn are_doubtful(reach: Reach) -> bool {
        reach.crosses() && !reach.accesses_memory()
    }

    /// Whether a micro-operation goes to them, and to none of the other side.
    pub fn has(&self, &(_, ports): &MicroOps) -> bool {
        ports.meets(self.general) && !ports.meets(self.others)
    }
}

/// Adds the resources that mixtures show which take longer than ports explain: to usages, and to those that
/// are known. `alone` is what an instance of each class takes by itself.
pub(super) fn hold_resources(
    classes: &mut UsageClasses,
    alone: &[f64],
    trials: &[SwapTrial],
    width: Option<f64>,
    resources: &mut Vec<(OpcodeId, f64)>,
) {
    let class = |(usage, &limit): (&Usage, &f64)| ConjunctiveClass {
        limit,
        micro_ops: usage.micro_ops.clone(),
    };
    let of_usages: Vec<ConjunctiveClass> = classes.usages.iter().zip(alone).map(class).collect();
    let trial = |trial: &SwapTrial| ConjunctiveTrial {
        classes: classes.untied(&trial.forms),
        predicted: trial.predicted(&classes.usages, width),
        cycles: trial.cycles,
    };
    let trials: Vec<ConjunctiveTrial> = trials.iter().map(trial).collect();
    for ConjunctiveResource { around, mut cycles } in conjunctive_resources(&trials, &of_usages) {
        let Some(first) = classes.first_form(around) else { continue };
        classes.hold_together(&mut cycles, &of_usages);
        for (usage, &cycles) in classes.usages.iter_mut().zip(&cycles).filter(|it| *it.1 > 0.0) {
            usage.extra.push((resources.len(), cycles));
        }
        resources.push((first, cycles[around]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_read_many_registers_are_classes_of_their_own() {
        let on = |ports: &[u32]| Usage::of([(1, Ports::of(ports.iter().copied()))], 1.0);
        let (add, load) = (on(&[0, 1]), on(&[2]));
        let both = add.and(&load, 1.0);
        let forms = [(0, &add), (1, &add), (2, &load), (3, &both), (4, &both)];
        let usages: Usages =
            forms.iter().map(|&(opcode, usage)| (OpcodeId(opcode), usage.clone())).collect();
        let composed = |opcode: u32| {
            let parts = Box::new([add.clone(), load.clone()]);
            (OpcodeId(opcode), Told::Composed { parts, usage: both.clone(), residual: 0.0 })
        };
        let told = Map::from_iter([composed(3), composed(4)]);
        let classes = UsageClasses::of(&usages, &told, &|opcode| {
            Reach::of_a_test(opcode == OpcodeId(1) || opcode == OpcodeId(4))
        });
        let class = |opcode: u32| classes.of_form[&OpcodeId(opcode)];
        assert_eq!(classes.usages.len(), 5);
        // What loads one of three registers changes with what reads three.
        let tie = |opcode: u32| classes.ties.iter().find(|tie| tie.form == class(opcode)).unwrap();
        assert_eq!(tie(3).parts, [class(0), class(2)]);
        assert_eq!(tie(4).parts, [class(1), class(2)]);
        // It stands for both in a mixture, and holds what both hold.
        let parts = tie(4).parts;
        let mixture = [(class(4), 2.0), (class(1), 1.0)];
        assert_eq!(classes.untied(&mixture), [(parts[0], 3.0), (parts[1], 2.0)]);
        let mut weights = [0.0; 5];
        (weights[parts[0]], weights[parts[1]]) = (0.25, 0.125);
        let with_limit = |limit: f64| {
            let mut weights = weights;
            // What it was given as one of its micro-operations says nothing: no mixture has it.
            weights[class(4)] = 1.0;
            let all = vec![ConjunctiveClass { limit, micro_ops: Vec::new() }; 5];
            classes.hold_together(&mut weights, &all);
            weights[class(4)]
        };
        assert_eq!((with_limit(1.0), with_limit(0.3)), (0.375, 0.3));
        // Where nothing reads as many, with what does not.
        let reach = |opcode| Reach::of_a_test(opcode == OpcodeId(4));
        let classes = UsageClasses::of(&usages, &told, &reach);
        let tie =
            classes.ties.iter().find(|tie| tie.form == classes.of_form[&OpcodeId(4)]).unwrap();
        assert_eq!(tie.parts, [classes.of_form[&OpcodeId(0)], classes.of_form[&OpcodeId(2)]]);
    }

    #[test]
    fn what_crosses_the_core_uses_no_ports_of_the_far_side() {
        let on = |sets: &[&[u32]]| {
            Usage::of(sets.iter().map(|set| (1, Ports::of(set.iter().copied()))), 1.0)
        };
        let [add, multiply] = [on(&[&[0, 1]]), on(&[&[4, 5]])];
        let of = |general: &Usage, crossing: &Usage| {
            let forms = [general, &multiply, crossing];
            let usages = (0..).zip(forms).map(|(opcode, it)| (OpcodeId(opcode), it.clone()));
            UsageClasses::of(&usages.collect(), &Map::default(), &|opcode| {
                Reach::of_files(opcode != OpcodeId(1), opcode != OpcodeId(0))
            })
        };
        let crossing = on(&[&[0, 1], &[4, 5]]);
        let classes = of(&add, &crossing);
        let (without, far) = classes.without_far_ports().unwrap();
        let class = |opcode: u32| classes.of_form[&OpcodeId(opcode)];
        let usages = [0, 1, 2].map(|it| &without.usages[class(it)]);
        assert_eq!(usages, [&add, &multiply, &multiply]);
        assert!(far.has(&add.micro_ops[0]) && !far.has(&multiply.micro_ops[0]));
        // Ports that both sides have are of neither alone, and what uses none of the far side keeps its own.
        assert!(of(&on(&[&[0, 4]]), &on(&[&[0, 4], &[5]])).without_far_ports().is_none());
        assert!(of(&add, &multiply).without_far_ports().is_none());
    }
}
