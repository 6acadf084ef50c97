"""Lessons on the page, in a real browser."""

import re

from playwright.sync_api import Browser, expect

from lineduel.coach import SHIPPED_LESSONS, LessonStep, judge_answer, shipped_lesson
from lineduel.documents import lesson_document
from lineduel.documents.lesson_documents import LessonStepDocument
from lineduel.solve import Cache
from support.web_server import Server
from support.web_windows import Window, opened
from web.test_page_study import check


def right_answer(step: LessonStep, asked: LessonStepDocument) -> str:
    """An answer that the program takes as right."""
    answers = [*asked.choices, *(one.move for one in asked.moves)]
    return next(one for one in answers if judge_answer(step, one, Cache()).right)


def give(window: Window, asked: LessonStepDocument, answer: str) -> None:
    """Answer on the board, or with a button."""
    move = next((one for one in asked.moves if one.move == answer), None)
    if move is None:
        window.find(".lesson-choices").get_by_role("button", name=answer, exact=True).click()
    else:
        window.cell(str(move.start)).click()
        window.cell(str(move.end)).click()


def test_a_newcomer_is_offered_the_first_duel_and_plays_it_to_its_end(
    browser: Browser, server: Server
) -> None:
    """Every task is done on the board or with a button; then the offer is gone."""
    lesson = shipped_lesson("first-duel")
    told = "p.answer-bar"
    with opened(browser, server, viewport={"width": 320, "height": 800}) as window:
        window.go("/")
        window.page.get_by_role("link", name="Learn in 3 minutes").click()
        expect(window.find(".lesson-text")).to_contain_text("This is Cross Over.")
        check(window)
        for step, asked in zip(lesson.steps, lesson_document(lesson).steps, strict=True):
            expect(window.find(".lesson-text p").first).to_have_text(asked.text.split("\n\n")[0])
            if asked.question is not None:
                give(window, asked, right_answer(step, asked))
                expect(window.find(f"{told}[data-right=true]")).not_to_have_text("")
            window.page.get_by_role("button", name="Next").click()
        expect(window.find(".lesson-text")).to_contain_text("That was the lesson.")
        window.page.get_by_role("link", name="Play a game").click()
        expect(window.find(".first-duel")).to_be_visible()
        expect(window.page.get_by_role("link", name="Learn in 3 minutes")).to_have_count(0)


def test_a_wrong_answer_in_a_lesson_is_explained_with_an_arrow(
    browser: Browser, server: Server
) -> None:
    """From the menu to the lesson; a wrong move goes back, and the board shows what it allows."""
    lesson = shipped_lesson("first-duel")
    steps = list(zip(lesson.steps, lesson_document(lesson).steps, strict=True))
    with opened(browser, server) as window:
        window.go("/")
        window.find("#bar .menu summary").click()
        window.page.get_by_role("link", name="Lessons").click()
        expect(window.find(".lessons li")).to_have_count(len(SHIPPED_LESSONS))
        check(window)
        window.page.get_by_role("link", name=lesson.title).click()
        for step, asked in steps[:4]:
            expect(window.find(".lesson-text p").first).to_have_text(asked.text.split("\n\n")[0])
            give(window, asked, right_answer(step, asked))
            window.page.get_by_role("button", name="Next").click()
        give(window, steps[4][1], "P1-A+1")
        expect(window.find(".answer-bar[data-right=false]")).to_contain_text("P2-C reaches 2")
        expect(window.find(".lines .line.why.P2")).to_have_count(1)
        expect(window.find(".piece.P2.why")).to_have_count(1)
        check(window)
        give(window, steps[4][1], "P1-B+1")
        expect(window.find(".answer-bar[data-right=true]")).not_to_have_text("")
        expect(window.find(".lines .why")).to_have_count(0)


def test_after_two_wrong_answers_the_right_one_is_offered(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        window.go("/lessons/guard-and-run")
        help_, wrong = window.page.get_by_role("button", name="Show the answer"), "S2+1"
        asked = lesson_document(shipped_lesson("guard-and-run")).steps[0]
        expect(window.find(".lesson-count")).to_have_text("Step 1 of 5")
        give(window, asked, wrong)
        expect(window.find(".answer-bar[data-right=false]")).to_be_visible()
        expect(help_).to_be_hidden()
        expect(window.cell("0")).to_have_class(re.compile("movable"))
        give(window, asked, wrong)
        help_.click()
        expect(window.find(".answer-bar[data-right=shown]")).to_contain_text("S1 reaches 10")
        expect(window.page.get_by_role("button", name="Next")).to_be_visible()


def test_a_lesson_goes_on_where_it_was_left(browser: Browser, server: Server) -> None:
    """The list has a picture, a length and the progress of each, and the next one stands first."""
    with opened(browser, server, viewport={"width": 390, "height": 844}) as window:
        window.go("/lessons")
        expect(window.find(".lesson-card .board")).to_have_count(len(SHIPPED_LESSONS))
        first = window.find(".lesson-card.next")
        expect(first).to_contain_text("11 steps, about 3 min")
        first.get_by_role("link").click()
        lesson = shipped_lesson("first-duel")
        asked = lesson_document(lesson).steps[0]
        expect(window.find(".lesson-count")).to_have_text("Step 1 of 11")
        give(window, asked, right_answer(lesson.steps[0], asked))
        window.page.get_by_role("button", name="Next").click()
        expect(window.find(".lesson-count")).to_have_text("Step 2 of 11")
        window.go("/lessons")
        expect(first).to_contain_text("Step 2 of 11")
        expect(first).to_contain_text("Continue")
        check(window)
        first.get_by_role("link").click()
        expect(window.find(".lesson-count")).to_have_text("Step 2 of 11")
