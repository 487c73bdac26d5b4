//! What the way in which a child ended says of its kernel.

use super::notes::ChildStage;
use super::wait::ChildEnd;
use crate::device::Fault;

/// The fault behind a child's end, if its end was not the intended one.
pub(super) fn fault(end: ChildEnd, stage: ChildStage) -> Option<Fault> {
    let ChildEnd::Status(status) = end else { return Some(Fault::TimedOut) };
    if libc::WIFSIGNALED(status) {
        return Some(fault_of_signal(libc::WTERMSIG(status)));
    }
    let ended = libc::WEXITSTATUS(status);
    (ended != 0 || stage == ChildStage::Unfinished).then_some(Fault::Exited(ended))
}

fn fault_of_signal(signal: libc::c_int) -> Fault {
    match signal {
        libc::SIGILL => Fault::IllegalInstruction,
        libc::SIGSEGV => Fault::SegmentationFault,
        libc::SIGBUS => Fault::BusError,
        libc::SIGFPE => Fault::ArithmeticFault,
        libc::SIGTRAP => Fault::Trap,
        libc::SIGSYS => Fault::SystemCall,
        libc::SIGPROF | libc::SIGXCPU => Fault::TimedOut,
        libc::SIGKILL => Fault::Killed,
        other => Fault::Signal(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names() {
        let fault = |status, stage| fault(ChildEnd::Status(status), stage);
        assert_eq!(fault(libc::SIGILL, ChildStage::Unfinished), Some(Fault::IllegalInstruction));
        assert_eq!(fault(libc::SIGXCPU, ChildStage::Unfinished), Some(Fault::TimedOut));
        assert_eq!(fault(libc::SIGKILL, ChildStage::Finished), Some(Fault::Killed));
        assert_eq!(
            fault(libc::SIGALRM, ChildStage::Unfinished),
            Some(Fault::Signal(libc::SIGALRM))
        );
        assert_eq!(fault(0, ChildStage::Unfinished), Some(Fault::Exited(0)));
        assert_eq!(fault(3 << 8, ChildStage::Unfinished), Some(Fault::Exited(3)));
        assert_eq!(fault(0, ChildStage::Finished), None);
    }
}
