"""Exams, data and benchmarks for programs that read and write text: see `docs/agents.md`.

The protocol server is in `mcp_server`, adapters for other libraries are in `textarena` and
`inspect_ai`, so that nothing of theirs is imported before it is needed.
"""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.agents.agent import (
        AgentQuestion as AgentQuestion,
        make_agent as make_agent,
        run_agent as run_agent,
        starts_code as starts_code,
    )
    from lineduel.agents.answers import AgentAnswer as AgentAnswer, AnswerCost as AnswerCost
    from lineduel.agents.benchmark import (
        BENCHMARK_VERSION as BENCHMARK_VERSION,
        PART_OF_AGENT as PART_OF_AGENT,
        benchmark_document as benchmark_document,
        benchmark_hash as benchmark_hash,
        benchmark_lines as benchmark_lines,
        benchmark_page as benchmark_page,
        benchmark_row as benchmark_row,
        benchmark_settings as benchmark_settings,
        benchmark_strata as benchmark_strata,
        shipped_baselines as shipped_baselines,
    )
    from lineduel.agents.exam import Exam as Exam, exam_settings_of as exam_settings_of
    from lineduel.agents.exam_comparison import (
        compare_exams as compare_exams,
        comparison_lines as comparison_lines,
    )
    from lineduel.agents.exam_report import exam_document as exam_document
    from lineduel.agents.exam_settings import EXAM as EXAM, ExamSettings as ExamSettings
    from lineduel.agents.exam_text import (
        estimate_text as estimate_text,
        exam_lines as exam_lines,
        exam_page as exam_page,
    )
    from lineduel.agents.question import (
        Failure as Failure,
        PositionForm as PositionForm,
        ReadingRule as ReadingRule,
        question_text as question_text,
        read_choice as read_choice,
    )
    from lineduel.agents.rule_sets import (
        Group as Group,
        RuleSet as RuleSet,
        SolvedRuleSet as SolvedRuleSet,
        rule_set_of as rule_set_of,
        shipped_rule_sets as shipped_rule_sets,
        unseen_rule_sets as unseen_rule_sets,
    )
    from lineduel.agents.training_data import (
        DataSettings as DataSettings,
        TrainingData as TrainingData,
        write_data as write_data,
    )

offer(__name__)
