from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from arena.accounts.models import Role, User
from arena.classes import services
from arena.classes.join_codes import format_code
from arena.classes.models import Course, CourseRole, Membership
from tests.factories import person
from tests.note_codes import note_codes
from tests.refusals import codes_shown, form_codes

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse 17"
READERS = ("anonymous", "other student", "other organizer", "member", "co-teacher", "owner", "staff")
IN_IT = {"member", "co-teacher", "owner", "staff"}
TEACHING = {"co-teacher", "owner", "staff"}


def reader_of(course: Course, name: str) -> Client:
    client = Client()
    made: dict[str, Callable[[], User]] = {
        "other student": person,
        "other organizer": lambda: person(role=Role.ORGANIZER),
        "member": person,
        "co-teacher": person,
        "owner": lambda: course.owner,
        "staff": lambda: person(is_staff=True),
    }
    if name in made:
        user = made[name]()
        client.force_login(user)
        if name in {"member", "co-teacher"}:
            role = CourseRole.TEACHER if name == "co-teacher" else CourseRole.STUDENT
            Membership.objects.create(course=course, person=user, role=role)
    return client


@pytest.mark.parametrize("reader", READERS)
def test_only_members_and_staff_see_a_class(course: Course, reader: str) -> None:
    response = reader_of(course, reader).get(reverse("class", args=[course.pk]))
    assert response.status_code == (200 if reader in IN_IT else 302 if reader == "anonymous" else 404)
    if reader in IN_IT:
        assert (format_code(course.code) in response.content.decode()) is (reader in TEACHING), (
            "the code is the teachers'"
        )


@pytest.mark.parametrize(("host", "warned"), [("localhost:8000", True), ("192.168.1.7", False)])
def test_join_code_warns_if_phones_cannot_open_its_address(
    course: Course, host: str, warned: bool, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    response = reader_of(course, "owner").get(reverse("class", args=[course.pk]), HTTP_HOST=host)
    assert response.status_code == 200
    assert ('data-part="unreachable"' in response.content.decode()) is warned


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ["class-new-code", "class-close", "class-open"])
def test_only_teachers_and_staff_manage_the_join_code(course: Course, reader: str, name: str) -> None:
    response = reader_of(course, reader).post(reverse(name, args=[course.pk]))
    expected = 302 if reader in TEACHING | {"anonymous"} else 403 if reader in IN_IT else 404
    assert response.status_code == expected
    changed = Course.objects.get()
    untouched = (changed.code, changed.joinable) == (course.code, True)
    assert untouched is (reader not in TEACHING or name == "class-open")


@pytest.mark.parametrize("reader", READERS)
def test_only_teachers_and_staff_change_name_and_limits(course: Course, reader: str) -> None:
    client, url = reader_of(course, reader), reverse("class-edit", args=[course.pk])
    answers = {"name": "AI 201", "uploads_an_hour": "5", "scrimmages_an_hour": ""}
    client.post(url, answers)
    course.refresh_from_db()
    assert (course.name == "AI 201") is (reader in TEACHING)
    assert (course.uploads_an_hour, course.scrimmages_an_hour) == ((5, None) if reader in TEACHING else (None, None))


@pytest.mark.parametrize("reader", READERS)
def test_teachers_remove_members_and_owners_appoint_teachers(course: Course, reader: str) -> None:
    student = person("pupil")
    services.join(student, course.code)
    client = reader_of(course, reader)
    client.post(reverse("class-teacher", args=[course.pk, student.pk]))
    role = course.memberships.get(person=student).role
    assert (role == CourseRole.TEACHER) is (reader in {"owner", "staff"})
    client.post(reverse("class-remove", args=[course.pk, student.pk]))
    assert course.memberships.filter(person=student).exists() is (reader not in TEACHING)


@pytest.mark.parametrize("reader", READERS)
def test_only_organizers_and_staff_create_classes(course: Course, reader: str) -> None:
    response = reader_of(course, reader).post(reverse("class-new"), {"name": "New one"})
    assert Course.objects.filter(name="New one").exists() is (reader in {"other organizer", "owner", "staff"})
    assert response.status_code in (302, 403)


def test_new_user_signs_up_and_returns_to_the_join_page(client: Client, course: Course) -> None:
    link = reverse("class-join", args=[format_code(course.code)])
    page = client.get(link).content.decode()
    assert "AI 101" in page
    assert f'{reverse("signup")}?next={link}"' in page
    data = {"username": "ada", "email": "ada@example.org", "password1": PASSWORD, "password2": PASSWORD, "next": link}
    back = client.post(f"{reverse('signup')}?next={link}", data, follow=True)
    assert back.redirect_chain[-1][0] == link
    assert client.post(link).headers["Location"] == reverse("class", args=[course.pk])
    assert course.memberships.filter(person__username="ada").exists()
    assert note_codes(client.get(link).content.decode()) == ["member"]


def test_existing_user_signs_in_and_returns_to_the_join_page(client: Client, course: Course) -> None:
    ada = person("ada")
    ada.set_password(PASSWORD)
    ada.save()
    link = reverse("class-join", args=[format_code(course.code)])
    assert f'{reverse("login")}?next={link}"' in client.get(link).content.decode()
    back = client.post(reverse("login"), {"username": "ada", "password": PASSWORD, "next": link}, follow=True)
    assert back.redirect_chain[-1][0] == link


def test_opening_the_join_link_creates_no_membership(client: Client, course: Course) -> None:
    client.force_login(person())
    client.get(reverse("class-join", args=[course.code]))
    assert course.memberships.count() == 1
    Client().post(reverse("class-join", args=[course.code]))
    assert course.memberships.count() == 1


def test_typed_join_code_opens_its_class(client: Client, course: Course) -> None:
    typed = format_code(course.code).lower().replace("-", " ")
    page = client.get(reverse("class-code"), {"code": typed}, follow=True).content.decode()
    assert "AI 101" in page
    wrong = client.get(reverse("class-code"), {"code": "hello"})
    assert wrong.status_code == 422
    assert form_codes(wrong, "code") == ["join_code"]
    assert 'value="hello"' in wrong.content.decode()


@pytest.mark.parametrize("code", ["AAAA-AAAA", "nonsense"])
def test_unknown_join_code_is_explained(client: Client, course: Course, code: str) -> None:
    response = client.get(reverse("class-join", args=[code]))
    assert response.status_code == 404
    assert note_codes(response.content.decode()) == ["unknown_code"]


def test_leaving_hides_the_class(course: Course) -> None:
    client = reader_of(course, "member")
    client.post(reverse("class-leave", args=[course.pk]))
    assert client.get(reverse("class", args=[course.pk])).status_code == 404
    owner = reader_of(course, "owner")
    assert codes_shown(owner.post(reverse("class-leave", args=[course.pk]), follow=True)) == ["must_stay"]


@pytest.mark.long
def test_members_are_paged_and_filtered(course: Course, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(40):
        services.join(person(f"pupil{number:02}"), course.code)
    client, url = reader_of(course, "owner"), reverse("class", args=[course.pk])
    with django_assert_max_num_queries(12):
        first = client.get(url).content.decode()
    assert "pupil00" in first
    assert "pupil39" not in first
    assert "pupil39" in client.get(url, {"page": 2}).content.decode()
    found = client.get(url, {"text": "PUPIL3"}).content.decode()
    assert "pupil39" in found
    assert "pupil00" not in found
    assert "pupil00" not in client.get(url, {"role": "teacher"}).content.decode()
    assert 'data-empty="no_match"' in client.get(url, {"text": "nobody"}).content.decode()


@pytest.mark.long
def test_class_list_shows_own_classes_and_all_to_staff(course: Course) -> None:
    for reader in READERS[1:]:
        page = reader_of(course, reader).get(reverse("class-list")).content.decode()
        assert ("AI 101" in page) is (reader in IN_IT), reader


@pytest.mark.long
def test_many_classes_are_paged_and_filtered(course: Course, teacher: User) -> None:
    for number in range(30):
        services.create(teacher, services.CoursePlan(f"Course {number:02}"), rng=random.Random(number + 2))
    client, url = reader_of(course, "owner"), reverse("class-list")
    assert 'name="text"' in client.get(url).content.decode()
    assert "Course 29" not in client.get(url).content.decode()
    assert "Course 29" in client.get(url, {"page": 2}).content.decode()
    found = client.get(url, {"text": "course 29"}).content.decode()
    assert "Course 29" in found
    assert "AI 101" not in found
    assert 'data-empty="no_match"' in client.get(url, {"text": "nothing like it"}).content.decode()
